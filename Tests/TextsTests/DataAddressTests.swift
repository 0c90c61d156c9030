import Expectations
import Testing
import Texts

@Suite("Addresses with their bytes inside (RFC 2397)")
struct DataAddressTests {
    @Test(
        "Escapes and Base64 become bytes",
        arguments: [
            ("data:text/plain,Soup%20and%20fish", "text/plain", "Soup and fish"),
            ("DATA:text/plain;charset=utf-8,a,b", "text/plain", "a,b"),
            ("data:application/pdf;base64,JVBERg==", "application/pdf", "%PDF"),
            ("data:image/svg+xml,", "image/svg+xml", ""),
        ] as [(String, String, String)])
    func reads(address: String, type: String, text: String) throws {
        let data = try #require(DataAddress(address))
        expectEqual(data.type, type)
        expectEqual(String(decoding: data.bytes, as: UTF8.self), text)
    }

    @Test(
        "Anything else is none",
        arguments: [
            "", "https://example.com/a.pdf", "data:", "data:text/plain", "data:,a", "data:text,a",
            "data:/plain,a",
            "data:text/,a", "data:text/plain/x,a", "data:te xt/plain,a", "data:text/plain,%2",
            "data:text/plain,%+1",
            "data:text/plain;base64,JVBERg", "data:text/plain;base64,J*==",
        ] as [String])
    func refuses(address: String) { expectEqual(DataAddress(address), nil) }
}
