public import ConnectCore
public import Foundation

extension GlobalConfig {
    /// Makes the requests in place of the SDK. Default: nil.
    public var customAWSClient: AWSClient? {
        get { client as? AWSClient }
        set { client = newValue }
    }

    /// A configuration with a client of the app's own; each other part has a default.
    ///
    /// - Parameters:
    ///   - region: where the service is.
    ///   - features: what can be switched.
    ///   - disableCsm: without effect.
    ///   - customAWSClient: makes the requests.
    ///   - customWebSocketURLProvider: rewrites addresses of WebSockets.
    ///   - endpoint: the participant service's base address.
    public init(
        region: AWSRegionType = defaultRegion, features: Features = .defaultFeatures,
        disableCsm: Bool = false, customAWSClient: AWSClient?,
        customWebSocketURLProvider: (@Sendable (String) -> String)? = nil, endpoint: URL? = nil
    ) {
        self.init(
            region: region, features: features, disableCsm: disableCsm,
            customWebSocketURLProvider: customWebSocketURLProvider, endpoint: endpoint)
        client = customAWSClient
    }
}
