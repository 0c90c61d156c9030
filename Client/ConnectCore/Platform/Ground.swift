// Re-exported for apps, because on systems without Combine, `ClientSupport` declares the replacements for Combine's
// types.
@_exported public import ClientSupport
