// Exports the types that the wire format and apps share. Types that contain JSON are declared again in this module:
// JSON for apps is Codable and unordered, JSON of the wire format is ordered.
@_exported public import RunWire
