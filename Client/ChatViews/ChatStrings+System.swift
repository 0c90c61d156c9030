// This file was type-checked only: it has never run on an Apple device.
#if canImport(Combine)
    public import ChatPresentation
    import Foundation

    extension ChatStrings {
        /// The texts of the first preferred language of the system that has a pack, or the English texts.
        public static let system = ChatStrings(preferring: Locale.preferredLanguages)

        /// Returns the text of a time divider: the day, in words if recent, and the time.
        func divider(_ at: Milliseconds, age: DayAge) -> String {
            let time = "j:mm"
            switch age {
            case .today, .yesterday: return say("divider." + age.rawValue) + " " + date(at, time)
            case .week: return date(at, "EEEE " + time)
            case .year: return date(at, "MMMM d " + time)
            case .old: return date(at, "MMMM d y " + time)
            }
        }

        func details(of row: ChatRow) -> String {
            [divider(row.at, age: .old), row.message?.id ?? row.id].joined(separator: "\n")
        }

        func time(_ at: Milliseconds) -> String { date(at, "j:mm") }

        private func date(_ at: Milliseconds, _ template: String) -> String {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: language)
            formatter.setLocalizedDateFormatFromTemplate(template)
            return formatter.string(from: Date(milliseconds: at))
        }
    }

    extension Date {
        init(milliseconds: Milliseconds) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
    }

    extension Milliseconds {
        init(_ date: Date) { self.init((date.timeIntervalSince1970 * 1_000).rounded()) }
    }
#endif
