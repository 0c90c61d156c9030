// Exported for apps on platforms without Combine: ClientSupport contains replacements for Combine's types.
@_exported public import ClientSupport
