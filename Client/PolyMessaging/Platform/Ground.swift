// Exported for apps: `ClientSupport` has the stand-ins for Combine's types.
@_exported public import ClientSupport
