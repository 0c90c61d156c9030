/// Bounds of this module: name, unit, default, reason.
package enum DialectLimits {
    /// Rate limit buckets kept at once. 4,096: one per connector of any test run; beyond that full buckets are
    /// forgotten, which changes nothing for anybody.
    package static let rateBuckets = 4_096
}
