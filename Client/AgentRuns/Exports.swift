// Values that the wire and an app share as they are. Those that carry JSON have a separate form here: an app's JSON
// is Codable and has no order, that of the wire keeps the order in which its members came.
@_exported public import RunWire
