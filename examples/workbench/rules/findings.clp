; What rules find is noted on the object, for as long as it is so.
;
; A rule asserts (finding (on ID) (rule NAME) (text TEXT)), with what it is found by in (logical ...): then CLIPS
; retracts the finding when that is not so any more, and the note goes with it.

(deftemplate finding (slot on (type INTEGER)) (slot rule (type STRING)) (slot text (type STRING)))

; After all findings have been made.
(defrule note-a-finding
  (declare (salience -100))
  (finding (on ?on) (rule ?rule) (text ?text))
  (item (id ?on))
  (not (Note (on ?on) (rule ?rule) (text ?text) (about 0)))
  =>
  (make Note on ?on rule ?rule text ?text))

(defrule a-finding-is-gone
  (declare (salience -100))
  (Note (id ?note) (on ?on) (rule ?rule&~"") (text ?text) (about 0))
  (not (finding (on ?on) (rule ?rule) (text ?text)))
  =>
  (drop ?note))

; Notes go with what they are on.
(defrule a-note-on-nothing
  (Note (id ?note) (on ?on))
  (not (item (id ?on)))
  =>
  (drop ?note))
