/**
 * The package reads these variables of the environment and no others. None of them turns a check off: what tests need
 * for that they do to a copy of the package (testing/node/mutants.py).
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse, type AnyNode } from "acorn";
import { variables } from "./shared/contracts.js";

const settings = {
  /** `off`: plain node. */
  HEDDLE: "bin, preload",
  /** From bin/heddle-node to the preload, which takes it away. */
  HEDDLE_FLAGS: "bin, preload",
  HEDDLE_NODE: "bin",
  HEDDLE_WORKERS: "options",
  HEDDLE_SHIP: "options",
  HEDDLE_GOVERN: "options",
  HEDDLE_REPORT: "options",
  HEDDLE_TRACE: "options",
  HEDDLE_RUN_FILE: "options",
  HEDDLE_CACHE: "options, preload",
  /** Says more. */
  HEDDLE_DEBUG: "complain, start, pool",
  /** Cost time, change no result: workers are delayed, results refused although they are right, and waited for. */
  HEDDLE_TEST_DELAY: "options",
  HEDDLE_TEST_ABORT: "options",
  HEDDLE_TEST_WAIT: "options",
  HOME: "where caches are kept",
  XDG_CACHE_HOME: "where caches are kept",
  NODE_OPTIONS: "options of node itself",
  NODE_PENDING_DEPRECATION: "an option of node itself",
  NODE_V8_COVERAGE: "an option of node itself",
};

const lastName = (node: AnyNode): string | undefined => {
  const last = node.type === "MemberExpression" ? node.property : node;
  return last.type === "Identifier" ? last.name : undefined;
};

/**
 * Names by which a text looks something up in what it calls `env`. One taken from the contract's table of variables
 * counts as all of them, any other that is computed as "?".
 */
function variablesOf(text: string): string[] {
  const found: string[] = [];
  const visit = (node: AnyNode): void => {
    if (node.type === "MemberExpression") {
      const { object, property } = node;
      if (lastName(object) === "env") {
        if (!node.computed && property.type === "Identifier") found.push(property.name);
        else if (property.type === "MemberExpression" && lastName(property.object) === "variables")
          found.push(...Object.values(variables));
        else found.push(property.type === "Literal" ? String(property.value) : "?");
      }
    }
    for (const child of Object.values(node).flat() as unknown[]) {
      if (typeof child === "object" && child !== null && "type" in child) visit(child as AnyNode);
    }
  };
  visit(parse(text, { ecmaVersion: "latest", allowReturnOutsideFunction: true }));
  return found;
}

test("the environment is read for settings that are known, and none turns a check off", () => {
  assert.deepEqual(
    variablesOf("env.A; process.env['B']; const { env } = process; env[name]; env[contracts.variables[name]];"),
    ["A", "B", "?", ...Object.values(variables)],
  );
  const files = readdirSync(__dirname, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.c?js$/.test(name) && !name.includes(".test."))
    .map((name) => readFileSync(join(__dirname, name), "utf8"));
  const script = readFileSync(join(__dirname, "../bin/heddle-node"), "utf8");
  const named = script.replace(/#.*$/gm, "").match(/\bHEDDLE(?:_[A-Z]+)*\b/g) ?? [];
  const read = new Set([...files.flatMap(variablesOf), ...named]);
  assert.deepEqual([...read].sort(), Object.keys(settings).sort());
});
