/// English words for small numbers: to be heard, and to be said.
package enum EnglishNumbers {
    static let small = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ]
    static let tens = [
        "", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ]

    /// `number` in words from 0 to 999 ("one hundred and five"), in digits beyond.
    package static func word(for number: Int) -> String {
        guard (0...999).contains(number) else { return String(number) }
        if number < 20 { return small[number] }
        if number < 100 {
            let rest = number % 10
            return rest == 0 ? tens[number / 10] : tens[number / 10] + "-" + small[rest]
        }
        let hundreds = small[number / 100] + " hundred"
        let rest = number % 100
        return rest == 0 ? hundreds : hundreds + " and " + word(for: rest)
    }
}
