// Types that the wire format and apps share. Types with JSON have their own form here: an app's JSON is Codable and
// unordered, the wire's JSON keeps the order of its members.
@_exported public import RunWire
