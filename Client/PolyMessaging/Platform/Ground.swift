// Exported for apps on platforms without Combine: ClientSupport has replacements for Combine's names.
@_exported public import ClientSupport
