// Declares two names of Combine on platforms without Combine, so that observable classes need no conditional
// compilation.
#if !canImport(Combine)
    /// An object whose properties a view can observe. On platforms without Combine, it has no effect.
    public protocol ObservableObject: AnyObject {}

    /// A property that a view can observe. On platforms without Combine, it only stores the value.
    @propertyWrapper
    public struct Published<Value> {
        /// The value.
        public var wrappedValue: Value

        /// Stores a value.
        public init(wrappedValue: Value) {
            self.wrappedValue = wrappedValue
        }
    }

    extension Published: Sendable where Value: Sendable {}
#endif
