// Type-checked on Linux (bash .ci/apple), but never run: the keychain. See Shared/Docs/on-a-mac.md.
#if canImport(Security)
    import Foundation
    import Security

    /// Session store with one generic password per record. The keychain outlives the app, so a flag in the user
    /// defaults marks this installation's records. macOS uses the data protection keychain too, because the older one
    /// asks for a password after every build.
    package final class KeychainSessionStore: RestrictedSessionStore {
        private static let service = "ai.poly.messaging"

        package init() {}

        package func load(ifAllowed namespace: String) -> StoreReading? {
            var query = query(namespace)
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            if status == errSecMissingEntitlement { return nil }
            guard UserDefaults.standard.bool(forKey: mark(namespace)) else { return StoreReading() }
            if status == errSecItemNotFound { return StoreReading() }
            guard status == errSecSuccess, let data = result as? Data else {
                return StoreReading(note: "The stored session could not be read (status \(status)).")
            }
            if let record = StoredSession([UInt8](data), namespace) { return StoreReading(record) }
            _ = save(ifAllowed: nil, namespace)
            return StoreReading(note: "What the keychain held was no session record; it was discarded.")
        }

        package func save(ifAllowed record: StoredSession?, _ namespace: String) -> StoreOutcome {
            guard let record else {
                UserDefaults.standard.removeObject(forKey: mark(namespace))
                let status = SecItemDelete(query(namespace) as CFDictionary)
                if status == errSecMissingEntitlement { return .notAllowed }
                if status == errSecSuccess || status == errSecItemNotFound { return .done }
                return .failed("The stored session could not be removed (status \(status)).")
            }
            let values: [CFString: Any] = [
                kSecValueData: Data(record.encoded(namespace)),
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(query(namespace) as CFDictionary, values as CFDictionary)
            if status == errSecItemNotFound {
                let item = query(namespace).merging(values) { _, new in new }
                status = SecItemAdd(item as CFDictionary, nil)
            }
            if status == errSecMissingEntitlement { return .notAllowed }
            guard status == errSecSuccess else {
                return .failed(
                    "The session could not be stored (status \(status)); it cannot be resumed later.")
            }
            UserDefaults.standard.set(true, forKey: mark(namespace))
            return .done
        }

        private func query(_ namespace: String) -> [CFString: Any] {
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: Self.service,
                kSecAttrAccount: namespace, kSecUseDataProtectionKeychain: true,
            ]
        }

        private func mark(_ namespace: String) -> String { "\(Self.service).\(namespace).stored" }
    }
#endif
