package import Texts

extension JSONPatch {
    /// Returns operations that change `document` into `target`. Values are compared by RFC 6902 §4.6.
    package static func difference(from document: JSONValue, to target: JSONValue) -> [JSONPatchOperation] {
        var operations: [JSONPatchOperation] = []
        difference(document, target, at: "", into: &operations)
        return operations
    }

    /// Maximum number of elements that are added or removed one by one. Beyond it, the whole array is replaced.
    private static let listSteps = 1_000

    private static func difference(
        _ old: JSONValue, _ new: JSONValue, at path: String, into operations: inout [JSONPatchOperation]
    ) {
        if old.isSame(as: new) { return }
        switch (old, new) {
        case (.object(let old), .object(let new)) where old.hasUniqueNames && new.hasUniqueNames:
            difference(old, new, at: path, into: &operations)
        case (.array(let old), .array(let new)): difference(old, new, at: path, into: &operations)
        default: operations.append(JSONPatchOperation(.replace, path, value: new))
        }
    }

    private static func difference(
        _ old: JSONObject, _ new: JSONObject, at path: String, into operations: inout [JSONPatchOperation]
    ) {
        let (before, after) = (old.lastMembers, new.lastMembers)
        for member in old.members where after[member.name] == nil {
            operations.append(JSONPatchOperation(.remove, place(member.name, in: path)))
        }
        for member in new.members {
            let place = place(member.name, in: path)
            if let old = before[member.name] {
                difference(old, member.value, at: place, into: &operations)
            } else {
                operations.append(JSONPatchOperation(.add, place, value: member.value))
            }
        }
    }

    private static func difference(
        _ old: [JSONValue], _ new: [JSONValue], at path: String, into operations: inout [JSONPatchOperation]
    ) {
        let shorter = min(old.count, new.count)
        let first = (0..<shorter).first { !old[$0].isSame(as: new[$0]) } ?? shorter
        let last =
            (0..<(shorter - first)).first { !old[old.count - 1 - $0].isSame(as: new[new.count - 1 - $0]) }
            ?? shorter - first
        let (oldEnd, newEnd) = (old.count - last, new.count - last)
        let paired = min(oldEnd, newEnd)
        guard max(oldEnd, newEnd) - paired <= listSteps else {
            return operations.append(JSONPatchOperation(.replace, path, value: .array(new)))
        }
        for index in first..<paired {
            difference(old[index], new[index], at: "\(path)/\(index)", into: &operations)
        }
        // Elements are removed from the end, so that the indices of the others stay valid.
        for index in (paired..<max(paired, oldEnd)).reversed() {
            operations.append(JSONPatchOperation(.remove, "\(path)/\(index)"))
        }
        for index in paired..<max(paired, newEnd) {
            operations.append(JSONPatchOperation(.add, "\(path)/\(index)", value: new[index]))
        }
    }

    private static func place(_ name: String, in path: String) -> String {
        var token = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": token += "~0"
            case "/": token += "~1"
            default: token.unicodeScalars.append(scalar)
            }
        }
        return path + "/" + token
    }
}

extension JSONObject {
    fileprivate var hasUniqueNames: Bool { lastMembers.count == members.count }
}
