// Declares two names of Combine where Combine is missing, so that observable classes need no conditional compilation.
#if !canImport(Combine)
    /// An observable object. Without Combine, this has no effect.
    public protocol ObservableObject: AnyObject {}

    /// An observable property. Without Combine, it only stores the value.
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
