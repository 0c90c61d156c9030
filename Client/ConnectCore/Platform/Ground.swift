// Re-exported, because `ClientSupport` contains replacements for Combine's types on systems without Combine.
@_exported public import ClientSupport
