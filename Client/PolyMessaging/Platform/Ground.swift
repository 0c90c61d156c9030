// Exported, so that apps find the stand-ins for Combine's names where there is no Combine.
@_exported public import ClientSupport
