/** What instrumented modules find of home. Home itself is loaded when the first of them runs, or a report is wanted. */
import { homeName, type HomeEntry } from "../contract.js";
import { stackHasRoom } from "../builtin.js";
import { complain } from "../complain.js";
import { keepCode, loadPart } from "../loader/parts.js";
import type { ModuleRecords } from "../loader/records.js";
import type { Options } from "../options.js";
import type * as HomePart from "./home.js";
import type { PastRuns } from "./policy/past-runs.js";
import { evaluateThere, makers, program } from "../realm.js";
import { language } from "../shared/language.js";
import type * as StatePart from "../shared/state.js";
import { Pristine } from "./validation/pristine.js";

/** @returns to be called once all stand-ins are there */
export function installEntry(records: ModuleRecords, options: Options, pastRuns: PastRuns | undefined): () => void {
  const pristine = new Pristine();
  let home: HomePart.Home | null | undefined;
  let intrinsics: StatePart.Intrinsics | undefined;
  const start = (): void => {
    if (home !== undefined || !stackHasRoom("once")) return;
    home = null;
    try {
      home = new (loadPart<typeof HomePart>("home/home.js").Home)(
        options,
        records,
        pristine,
        pastRuns,
        () => intrinsics,
      );
      keepCode("home");
    } catch (error) {
      complain("cannot start, the program goes on without", error);
    }
  };
  // Why nothing could be taken out of a program is worth a report, too.
  if (options.reportText || options.reportFile !== undefined) start();
  const module = makers.quiet((_, { 0: key, 1: constants }) => {
    start();
    return home?.module(key as string, constants === true);
  });
  const entry = { module } as HomeEntry;
  const found = evaluateThere(`const ${homeName} = Object.create(null); ${homeName}`, "heddle:home") as object;
  Object.freeze(Object.assign(found, entry));
  return () => {
    if (options.replicas.length === 0) return;
    const { Intrinsics } = loadPart<typeof StatePart>("shared/state.js");
    intrinsics = new Intrinsics(program as never, language);
    intrinsics.addKinds(evaluateThere("[async()=>{},function*(){},async function*(){}]", "heddle:kinds") as object[]);
  };
}
