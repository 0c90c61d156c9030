extension Help {
    /// Help text of the filter language, an extract of `Shared/Docs/filters.md` that fits one screen.
    static let filters = """
        polymock help filters: which rows "wire", "wait" and "export" take.

        A filter is terms with blanks between them; all must hold. A minus in front turns a term round.

          refund               this text in any field, whatever its case; * stands for anything in between
          "order 42"           the same with blanks, and with a * that is a *
          /msg_[0-9]+/i        a regular expression in any field; i ignores case
          dir:in               in (from a client), out (to a client), int (inside the server)
          kind:rest,ws         rest, ws, stream, control, fault, rule, clock, violation
          type:USER_MESSAGE    an event, a request such as POST*sessions, or a rule's name: the whole
                               name, words at its end or beginning (MESSAGE), or a form (*_MESSAGE)
          session:last         a session: the newest, or an id that begins so; in quotes, exactly this id
          rule:table-*         the rule that answered
          fault:tunnel         the fault that fired
          corr:m-17            an id of a message or a request: what belongs together
          status:4xx           an HTTP status
          close:4001           a close code
          n:10..20             the number of the row
          seq:>3               the number of the event in its session
          socket:2             the number of the connection
          size:>1kb            bytes (b, kb, mb)
          lat:>200ms           the time an answer took (us, ms, s)
          is:error             error, unmatched, faulted, replayed, intercepted
          $.payload.text=*hi*  a value in the JSON: = != < <= > >=, or alone when it must be there
          since:30s            the last 30 seconds
          after:12:00:00       from this time of day on, UTC; before:12:05 up to that time

        Values with commas mean any of them. A number is 7, 10..20, 10.., ..20, >3, >=3, <3 or <=3.

        EXAMPLE: polymock wire --filter "dir:out type:*_MESSAGE -is:replayed"
        """
}
