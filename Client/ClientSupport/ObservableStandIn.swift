// Replaces two names of Combine where Combine does not exist, so that observable classes are written once.
#if !canImport(Combine)
    /// An object whose properties a view can observe. Without Combine it has no effect.
    public protocol ObservableObject: AnyObject {}

    /// A property that a view can observe. Without Combine it only stores the value.
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
