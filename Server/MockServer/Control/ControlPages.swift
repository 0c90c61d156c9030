import HTTPCore
import Pages

/// The description of the control API (OpenAPI 3.1), as its file was when the binary was built.
enum ControlPages {
    static var openAPI: Response {
        let page = UnsafeBufferPointer(
            start: polymock_openapi_bytes(), count: polymock_openapi_length)
        return ControlJSON.response(Array(page))
    }
}
