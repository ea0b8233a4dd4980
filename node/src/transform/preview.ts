/**
 * Previews: before a function is called for an event, the home side wants to know with which values it will reach
 * sites. A preview is a text that is put in front of a function's body and runs instead of it in peek mode. It keeps
 * what can be evaluated without an effect (local variables, arithmetic on primitives, properties that are data) and
 * leaves out the rest; what depends on something left out is unknown. Where a condition is unknown, both ways are
 * tried.
 *
 * Nothing depends on a preview being right, for results are compared at the region. That it has no effect is what
 * counts: it assigns only variables of its own, touches objects only through `PreviewState`, and calls functions of the
 * program only if these are previews, sites (which only note the call), or proven pure and quick.
 *
 * It is a function in the function, and is given what it uses of the call. So what V8 compiles and optimises of the
 * function is as short as before but for one test, and can still be inlined, and no parameter is kept on the heap for
 * the preview's sake.
 */

import type { FunctionInfo } from "./facts.js";
import { bodyInsertion, type Insertion } from "./guards.js";
import type { Region } from "./judge.js";
import { forEachChild, isFunction, isLoop, type FunctionNode, type Node, type Parsed } from "./parse.js";
import { PreviewExpressions } from "./preview-expressions.js";
import type { Names } from "./program.js";
import type { Reach } from "./reach.js";

/** Longer ones are not worth their time. */
const mostCharacters = 8_000;

/** The preview of the function as an insertion; null if it would find nothing, or is too long. */
export function previewOf(
  info: FunctionInfo,
  key: string,
  parsed: Parsed,
  names: Names,
  reach: Reach,
): Insertion | null {
  const text = new Preview(info, parsed, names, reach).compile();
  if (text === null || text.length > mostCharacters) return null;
  const guard = `if(${names.state}?.peek){try{${text}}catch{}return;}`;
  return bodyInsertion(parsed, info, key, null, guard, "");
}

class Preview extends PreviewExpressions {
  private label: string | null = null;
  private loops = 0;
  private readonly doubts = this.fresh();

  compile(): string | null {
    const { body } = this.info.node as FunctionNode;
    const statements = body.type === "BlockStatement" ? body.body : null;
    const text = statements ? this.list(statements) : this.evaluate(body);
    if (!text) return null;
    const [unknown, doubts, ...others] = this.declared;
    const variables = others.map((name) => `,${name}=${unknown}`).join("");
    const look = this.names.local(this.count++);
    return (
      `let ${look}=(${[...this.given.keys()].join(",")})=>{` +
      `let ${unknown}=${this.peek}.unknown,${doubts}=0${variables};${text}};` +
      `return ${look}(${[...this.given.values()].join(",")});`
    );
  }

  // Statements -------------------------------------------------------------------------------------------------------

  /** Up to the last one that reaches a site; what comes after tells nothing. */
  private list(statements: readonly Node[]): string {
    const last = statements.findLastIndex((one) => this.reach.reaches(one));
    return statements
      .slice(0, last + 1)
      .map((one) => this.statement(one))
      .join("");
  }

  private statement(node: Node): string {
    const region = this.reach.loop(node);
    if (region) return this.site(region.region, region.index);
    switch (node.type) {
      case "VariableDeclaration":
        return node.declarations.map((one) => (one.init ? this.bind(one.id, one.init) : "")).join("");
      case "ExpressionStatement":
        return this.evaluate(node.expression);
      case "BlockStatement":
        return node.body.map((one) => this.statement(one)).join("");
      case "IfStatement":
        return this.choose(node.test, this.statementText(node.consequent), node.alternate);
      case "ReturnStatement":
      case "ThrowStatement":
        return this.leave(node.argument ?? null);
      case "TryStatement":
        return (
          node.block.body.map((one) => this.statement(one)).join("") +
          (node.finalizer ? this.statement(node.finalizer) : "")
        );
      case "LabeledStatement":
        return this.statement(node.body);
      case "BreakStatement":
      case "ContinueStatement":
        return this.loops > 0 ? (node.type === "BreakStatement" ? "break;" : "continue;") : "";
      case "SwitchStatement":
        return (
          this.forget(node) +
          this.inLoop(() =>
            node.cases
              .map((one) => `do{${one.consequent.map((each) => this.statement(each)).join("")}}while(0);`)
              .join(""),
          )
        );
      default:
        return isLoop(node) ? this.loop(node) : "";
    }
  }

  private statementText(node: Node): () => string {
    return () => this.statement(node);
  }

  private inLoop(compile: () => string): string {
    this.loops++;
    const text = compile();
    this.loops--;
    return text;
  }

  private choose(test: Node, consequent: () => string, alternate: Node | null | undefined): string {
    const condition = this.fresh();
    const { unknown, doubts, label: outer } = this;
    const branch = (name: string, when: string, compile: () => string): string => {
      this.label = name;
      const text = compile();
      this.label = outer;
      return text === "" ? "" : `${name}:{if(${condition}===${unknown}||${when}${condition}){${text}}}`;
    };
    const yes = branch(this.names.local(this.count++), "", consequent);
    const no = alternate ? branch(this.names.local(this.count++), "!", this.statementText(alternate)) : "";
    const calls = this.reach.reaches(test);
    if (yes === "" && no === "") return calls ? this.evaluate(test) : "";
    const doubt = (sign: string): string => `if(${condition}===${unknown})${doubts}${sign};`;
    return `${condition}=${this.attempt(this.truth(test))};${doubt("++")}${yes}${no}${doubt("--")}`;
  }

  private leave(value: Node | null): string {
    const text = value ? this.attempt(this.expression(value)) : "undefined";
    if (this.label === null) return `return ${text};`;
    return `{${this.fresh()}=${text};if(${this.doubts}>0)break ${this.label};return ${this.declared.at(-1)};}`;
  }

  private site(region: Region, index: number): string {
    const reads = region.reads.map((variable) => this.variable(variable) ?? this.unknown);
    const known = `${this.names.site(index)}?.enter([],[${reads.join(",")}]);`;
    const after = region.writes.flatMap(({ variable }) => this.mine.get(variable) ?? []);
    return `try{${known}}catch{}${after.map((name) => `${name}=${this.unknown};`).join("")}`;
  }

  /** Everything that the statement assigns becomes unknown. */
  private forget(node: Node): string {
    const names = new Set<string>();
    const visit = (at: Node): void => {
      if (isFunction(at)) return;
      if (at.type === "Identifier") {
        const reference = this.parsed.reference(at);
        const name = reference?.isWrite() && reference.resolved ? this.owned(reference.resolved) : null;
        if (name !== null) names.add(name);
      }
      forEachChild(at, visit);
    };
    visit(node);
    return [...names].map((name) => `${name}=${this.unknown};`).join("");
  }

  private loop(node: Node): string {
    if (!this.reach.reaches(node)) return this.forget(node);
    switch (node.type) {
      case "ForStatement": {
        const begin = !node.init
          ? ""
          : node.init.type === "VariableDeclaration"
            ? this.statement(node.init)
            : this.evaluate(node.init);
        const update = node.update ? this.attempt(this.expression(node.update)) : "";
        return begin + this.turn(node.test ?? null, node.body, update);
      }
      case "WhileStatement":
      case "DoWhileStatement":
        return this.turn(node.test, node.body, "");
      case "ForOfStatement": {
        const item = this.fresh();
        const target = node.left.type === "VariableDeclaration" ? node.left.declarations[0]?.id : node.left;
        const body = this.inLoop(() => (target ? this.bindText(target as Node, item) : "") + this.statement(node.body));
        return `for(${item} of ${this.peek}.items(${this.attempt(this.expression(node.right))})){${this.peek}.step();${body}}`;
      }
      default:
        return this.forget(node);
    }
  }

  /** A loop whose condition is unknown is taken once. */
  private turn(test: Node | null, body: Node, update: string): string {
    const condition = this.fresh();
    const check = test
      ? `${condition}=${this.attempt(this.truth(test))};if(${condition}!==${this.unknown}&&!${condition})break;`
      : `${condition}=true;`;
    const text = this.inLoop(() => this.statement(body));
    return `for(;;${update}){${this.peek}.step();${check}${text}if(${condition}===${this.unknown})break;}`;
  }

  /** An expression for what it calls and assigns. */
  private evaluate(node: Node): string {
    const assigns = node.type === "AssignmentExpression" && node.left.type === "Identifier";
    if (assigns) return this.assign(node);
    if (!this.reach.reaches(node) && node.type !== "UpdateExpression") return "";
    return `${this.attempt(this.expression(node))};`;
  }

  private assign(node: Extract<Node, { type: "AssignmentExpression" }>): string {
    const variable = this.parsed.reference(node.left as Node)?.resolved;
    const name = variable ? this.owned(variable) : null;
    if (name === null) return this.reach.reaches(node.right) ? `${this.attempt(this.expression(node.right))};` : "";
    return `${name}=${this.attempt(this.expression(node))};`;
  }

  protected override callback(body: FunctionNode["body"]): string {
    const { label, loops } = this;
    this.label = null;
    this.loops = 0;
    const text =
      body.type === "BlockStatement" ? body.body.map((one) => this.statement(one)).join("") : this.evaluate(body);
    this.label = label;
    this.loops = loops;
    return text;
  }
}
