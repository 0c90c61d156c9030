// Exports the types that the wire format and apps share. Types that contain JSON are declared again in this module,
// because JSON for apps is Codable and unordered, but the wire format keeps the order of an object's members.
@_exported public import RunWire
