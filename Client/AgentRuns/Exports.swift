// Exports the types that the wire format and apps share. Types with JSON are declared again in this module: JSON for
// apps is Codable and unordered; the wire format keeps the order of an object's members.
@_exported public import RunWire
