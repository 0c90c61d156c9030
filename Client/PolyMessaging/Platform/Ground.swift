// Both SDKs stand on it. Exported, because apps find the stand-ins for Combine's names here where there is no Combine.
@_exported public import ClientSupport
