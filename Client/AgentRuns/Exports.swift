// Exports the types that the wire format and apps share. Types that contain JSON are declared again in this module:
// JSON for apps is Codable and unordered, while the wire format keeps the order of the members of an object.
@_exported public import RunWire
