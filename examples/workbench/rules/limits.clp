; Constraints. Change them: the Workshop takes this file again when it is saved.

(defglobal ?*most-lines* = 60)

(defrule long-function
  (logical (Function (id ?id) (name ?name) (lines ?lines&:(> ?lines ?*most-lines*))))
  =>
  (assert (finding (on ?id) (rule "long")
                   (text (str-cat ?name " has " ?lines " lines; at most " ?*most-lines* " can be read at once")))))

; What would not be one any more.
(defrule function-without-name
  (definition (id ?id) (name ""))
  (changed (id ?id) (slot name))
  =>
  (refuse "a function or a class has a name: its source defines none"))

; A section is read-only until somebody says that it is not.
(defrule read-only
  (or (Function (id ?id) (readonly 1)) (Class (id ?id) (readonly 1)) (Text (id ?id) (readonly 1)))
  (changed (id ?id) (slot source | name))
  (not (changed (id ?id) (slot readonly)))
  =>
  (refuse "the section is read-only"))

(defrule read-only-is-not-erased
  (erased (id ?id) (readonly 1))
  =>
  (refuse "the section is read-only"))
