; Links from a section to the functions and classes that its source names; and what a new name means to its callers.

; Of several with the name, those in the same file are meant.
(defrule link-in-the-file
  (mention (from ?from) (file ?file) (name ?name) (call yes))
  (definition (id ?to&~?from) (class Function) (file ?file) (name ?name))
  (not (reference (from ?from) (to ?to) (name ?name)))
  =>
  (make Link from ?from to ?to name ?name rule "call"))

; The only one of its name, which is looked for first: names that many have are mentioned most.
(defrule link-to-another-file
  (definition (id ?to) (class Function) (file ?other) (name ?name))
  (not (definition (id ~?to) (class Function) (name ?name)))
  (mention (from ?from) (file ~?other) (name ?name) (call yes))
  (not (reference (from ?from) (to ?to) (name ?name)))
  =>
  (make Link from ?from to ?to name ?name rule "call"))

(defrule link-to-a-class
  (definition (id ?to) (class Class) (name ?name))
  (not (definition (id ~?to) (class Class) (name ?name)))
  (mention (from ?from&~?to) (name ?name))
  (not (reference (from ?from) (to ?to) (name ?name)))
  =>
  (make Link from ?from to ?to name ?name rule "class"))

; A link that a rule made lasts as long as the source says it; any other, as long as what it comes from is there.
(defrule link-without-mention
  (reference (id ?link) (from ?from) (name ?name) (rule ~""))
  (not (mention (from ?from) (name ?name)))
  =>
  (drop ?link))

(defrule link-from-nothing
  (reference (id ?link) (from ?from) (rule ""))
  (not (item (id ?from)))
  =>
  (drop ?link))

; --- What it led to is gone ---

(defrule link-dangles
  (reference (id ?link) (to ?to&~0))
  (not (item (id ?to)))
  =>
  (put ?link to 0)
  (put ?link state "dangling"))

(defrule note-a-dangling-link
  (logical (reference (from ?from) (to 0) (name ?name)))
  =>
  (assert (finding (on ?from) (rule "dangling")
                   (text (str-cat "refers to " ?name ", which is not there any more")))))

; There is such a function or class again: a rule above links to it.
(defrule link-dangles-no-more
  (reference (id ?link) (from ?from) (to 0) (name ?name))
  (reference (from ?from) (to ~0) (name ?name))
  =>
  (drop ?link))

; --- What it led to has another name ---

(defrule link-to-a-renamed
  (changed (id ?to) (class Function | Class) (slot name) (old ?old) (new ?new&~?old))
  (reference (id ?link) (from ?from) (to ?to) (name ?old) (rule ~""))
  (mention (from ?from) (name ?old))
  =>
  (put ?link state "renamed"))

(defrule note-a-renamed
  (logical (Link (from ?from) (to ?to) (name ?old) (state "renamed"))
           (definition (id ?to) (name ?new&~?old)))
  =>
  (assert (finding (on ?from) (rule "renamed") (text (str-cat "refers to " ?old ", which is now " ?new)))))

; The old name came back.
(defrule link-is-right-again
  (Link (id ?link) (to ?to) (name ?name) (state "renamed"))
  (definition (id ?to) (name ?name))
  =>
  (put ?link state ""))
