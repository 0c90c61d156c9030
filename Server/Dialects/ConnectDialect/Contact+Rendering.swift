import ConversationEngine
package import DialectKit

extension ConnectDialect {
    /// As a customer is told it who takes all types of content and subscribed at the beginning.
    package func retelling(of session: String) -> any SessionEncoder {
        let contact = Contact(of: session, settings: options)
        contact.start.contentTypes = Set(ContentType.allCases)
        _ = contact.add(.customer, "Customer")
        contact.isConnected = true
        contact.sockets = [Contact.Socket(connection: .none, party: 0, isSubscribed: true)]
        return contact
    }
}
