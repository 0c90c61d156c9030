import Clocks
public import ConnectCore
public import Foundation

/// Client that makes the requests of a chat. A subclass can override a method, and call `super`. The SDK calls methods
/// on the main thread. A completion may be called on any thread; only its first call counts. The state of a subclass
/// must be thread-safe (decision record 0016). `URLSessionDelegate` methods of a subclass are never called.
///
/// ```swift
/// class Counting: AWSClient, @unchecked Sendable {
///     override func sendMessage(
///         connectionToken: String, contentType: ContentType, message: String,
///         completion: @escaping (Result<AWSConnectParticipantSendMessageResponse, any Error>) -> Void
///     ) {
///         print("A message leaves")
///         super.sendMessage(
///             connectionToken: connectionToken, contentType: contentType, message: message,
///             completion: completion)
///     }
/// }
/// ```
open class AWSClient: NSObject, CustomClient, @unchecked Sendable {
    private struct State {
        var config = GlobalConfig()
        var headers: [String: String] = [:]
        var dependencies: Dependencies?
        /// Idempotency token of the request that the SDK is making now, otherwise nil.
        var clientToken: String?
    }

    private let state = Locked(State())

    /// Shared client of the app. A chat uses it only if the app sets it as ``GlobalConfig/customAWSClient``.
    public static let shared = AWSClient()

    /// Creates a client with the default configuration.
    public override init() {}

    /// Sets the configuration, such as the region. `ChatSession.configure` also configures its custom client.
    public func configure(with config: GlobalConfig) {
        state.withLock { $0.config = config }
    }

    /// Additional header fields for all requests. Cannot replace `X-Amz-Bearer`, `Content-Type` and `User-Agent`.
    public var additionalHeaders: [String: String] {
        get { state.withLock { $0.headers } }
        set { state.withLock { $0.headers = newValue } }
    }

    package func adopt(_ config: GlobalConfig, _ dependencies: Dependencies) {
        var config = config
        // The configuration refers to this client. Storing it unchanged would make a retain cycle.
        config.client = nil
        state.withLock { [config] in ($0.config, $0.dependencies) = (config, dependencies) }
    }

    /// Requests a WebSocket URL and a connection token.
    open func createParticipantConnection(
        participantToken: String,
        completion: @escaping (Result<ConnectionDetails, any Error>) -> Void
    ) {
        call(
            .createConnection(participantToken: participantToken), participantToken,
            { if case .connection(let credentials) = $0 { ConnectionDetails(credentials) } else { nil } },
            completion)
    }

    /// Leaves the chat.
    open func disconnectParticipantConnection(
        connectionToken: String,
        completion: @escaping (Result<AWSConnectParticipantDisconnectParticipantResponse, any Error>) -> Void
    ) {
        call(
            .disconnect, connectionToken,
            { _ in AWSConnectParticipantDisconnectParticipantResponse() }, completion)
    }

    /// Sends a message.
    open func sendMessage(
        connectionToken: String, contentType: ContentType, message: String,
        completion: @escaping (Result<AWSConnectParticipantSendMessageResponse, any Error>) -> Void
    ) {
        call(
            .sendMessage(
                contentType: contentType.rawValue, text: message, clientToken: clientToken()),
            connectionToken,
            { AWSConnectParticipantSendMessageResponse($0) }, completion)
    }

    /// Sends an event.
    open func sendEvent(
        connectionToken: String, contentType: ContentType, content: String = "",
        completion: @escaping (Result<AWSConnectParticipantSendEventResponse, any Error>) -> Void
    ) {
        call(
            .sendEvent(
                contentType: contentType.rawValue, content: content, clientToken: clientToken()),
            connectionToken,
            { AWSConnectParticipantSendEventResponse($0) }, completion)
    }

    /// Requests the upload address of a file.
    open func startAttachmentUpload(
        connectionToken: String, contentType: String, attachmentName: String, attachmentSizeInBytes: Int,
        completion: @escaping (Result<AWSConnectParticipantStartAttachmentUploadResponse, any Error>) -> Void
    ) {
        call(
            .startUpload(
                contentType: contentType, name: attachmentName, byteCount: attachmentSizeInBytes,
                clientToken: clientToken()), connectionToken,
            { AWSConnectParticipantStartAttachmentUploadResponse($0) }, completion)
    }

    /// Completes the upload of one file, the first of `attachmentIds`.
    open func completeAttachmentUpload(
        connectionToken: String, attachmentIds: [String],
        completion:
            @escaping (Result<AWSConnectParticipantCompleteAttachmentUploadResponse, any Error>) -> Void
    ) {
        call(
            .completeUpload(attachmentID: attachmentIds.first ?? "", clientToken: clientToken()),
            connectionToken,
            { _ in AWSConnectParticipantCompleteAttachmentUploadResponse() }, completion)
    }

    /// Requests the download address of a file.
    open func getAttachment(
        connectionToken: String, attachmentId: String,
        completion: @escaping (Result<AWSConnectParticipantGetAttachmentResponse, any Error>) -> Void
    ) {
        call(
            .getAttachment(id: attachmentId), connectionToken,
            { AWSConnectParticipantGetAttachmentResponse($0) }, completion)
    }

    /// Requests a page of the transcript.
    open func getTranscript(
        getTranscriptArgs: AWSConnectParticipantGetTranscriptRequest,
        completion: @escaping (Result<AWSConnectParticipantGetTranscriptResponse, any Error>) -> Void
    ) {
        call(
            .getTranscript(PageRequest(getTranscriptArgs)), getTranscriptArgs.connectionToken ?? "",
            { AWSConnectParticipantGetTranscriptResponse($0) }, completion)
    }

    /// Requests the layout of a view.
    open func describeView(
        connectionToken: String, viewToken: String,
        completion: @escaping (Result<AWSConnectParticipantDescribeViewResponse, any Error>) -> Void
    ) {
        call(
            .describeView(token: viewToken), connectionToken,
            { AWSConnectParticipantDescribeViewResponse($0) }, completion)
    }

    // MARK: - Making requests

    /// Returns the idempotency token of the SDK's request, or a new token for a call by the app.
    private func clientToken() -> String {
        state.withLock { $0.clientToken } ?? FreshID.make()
    }

    func withClientToken(_ token: String?, _ body: () -> Void) {
        state.withLock { $0.clientToken = token }
        body()
        state.withLock { $0.clientToken = nil }
    }

    private func call<Answer>(
        _ operation: ServiceOperation, _ token: String, _ read: @escaping @Sendable (Reply) -> Answer?,
        _ completion: @escaping (Result<Answer, any Error>) -> Void
    ) {
        let completion = UncheckedBox(completion)
        let (config, headers, dependencies) = state.withLock { ($0.config, $0.headers, $0.dependencies) }
        let parts = dependencies ?? .standard
        let caller = ServiceCaller(config, headers: headers, parts)
        caller.call(operation, token: token) { reply in
            if let error = reply.error { return completion.value(.failure(error)) }
            guard let answer = read(reply) else {
                return completion.value(
                    .failure(ConnectChatError.unexpectedAnswer("The service's answer is another one.")))
            }
            completion.value(.success(answer))
        }
    }
}

extension GlobalConfig {
    /// Client that makes the requests instead of the SDK. Default: nil.
    public var customAWSClient: AWSClient? {
        get { client as? AWSClient }
        set { client = newValue }
    }

    /// Creates a configuration with a custom client.
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
