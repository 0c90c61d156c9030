package enum EnglishNumbers {
    static let small = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ]
    static let tens = [
        "", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ]

    /// Returns a number from 0 to 999 in words ("one hundred and five"), and any other number in digits.
    package static func word(for number: Int) -> String {
        var text = ""
        append(number, to: &text)
        return text
    }

    /// Appends the words of a number without intermediate strings.
    package static func append(_ number: Int, to text: inout String) {
        switch number {
        case 0..<20: text += small[number]
        case 20..<100:
            text += tens[number / 10]
            guard number % 10 > 0 else { return }
            text += "-"
            text += small[number % 10]
        case 100...999:
            text += small[number / 100]
            text += " hundred"
            guard number % 100 > 0 else { return }
            text += " and "
            append(number % 100, to: &text)
        default: text += String(number)
        }
    }
}
