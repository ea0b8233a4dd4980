/** Packages whose calls are computed in replicas: which are loaded, and the sites in their modules. */
import { complain } from "../../complain.js";
import type { RegionOutcome, ReplicaHandle } from "../../contract.js";
import type { ModuleRecord } from "../../loader/cache.js";
import { packageOf } from "../../loader/packages.js";
import { listOf } from "../../builtin.js";
import type { Program } from "../../shared/protocol.js";
import type { Intrinsics } from "../../shared/state.js";
import { Site, worthwhile, type Surroundings } from "../policy/site.js";
import { Replica } from "./replica.js";

/** Has no text: a call with it stays at home. */
const noText = (): void => {};

export class ReplicaSite extends Site {
  replica: Replica | undefined;
  /** The version that workers know. */
  private described = -1;

  override enter(args: readonly unknown[], reads: readonly unknown[]): RegionOutcome | undefined {
    const { replica } = this;
    const { 0: token, 1: receiver } = reads;
    const number = replica?.refusal === undefined ? replica?.numberOf(token, receiver) : undefined;
    const sendable = number !== undefined && replica?.holdsOwn(args) === false;
    const values = sendable ? [number, ...listOf(args)] : [noText];
    const outcome = super.enter(sendable ? [replica?.version, ...values] : values, []);
    if (outcome === undefined) this.begin(values);
    return outcome;
  }

  /** Home computes the call. */
  private begin(values: readonly unknown[]): void {
    this.replica?.beginCall(
      () => {
        const text = this.home.validation.encode(values, []);
        return text === undefined ? undefined : { key: this.record.key, index: this.index, values: text };
      },
      this.phase === "hot" && this.cost >= worthwhile,
    );
  }

  protected override left(): void {
    try {
      this.replica?.endCall();
    } finally {
      super.left();
    }
  }

  override get isOutdated(): boolean {
    return this.described !== this.replica?.version;
  }

  protected override mayTake(): boolean {
    return this.replica?.isUnchanged() === true;
  }

  protected override outcome(values: readonly unknown[]): RegionOutcome | undefined {
    const { 0: value, 1: changes } = values;
    return this.replica?.patch(listOf(changes as unknown[])) === true ? { value, writes: [] } : undefined;
  }

  override program(): Program {
    const replica = this.replica as Replica;
    this.described = replica.version;
    const entry = { key: this.record.key, index: this.index };
    const { line } = this.description;
    return {
      site: this.id,
      text: "",
      name: `${replica.name}: ${this.name} (${this.record.file}:${line})`,
      writes: true,
      replica: { ...replica.program(), entry },
    };
  }
}

export class Replicas {
  readonly all: Replica[] = [];
  private open: Replica | undefined;
  private readonly sites = new Map<string, readonly ReplicaSite[]>();

  constructor(
    private readonly home: Surroundings,
    private readonly intrinsics: Intrinsics,
    private readonly packages: readonly string[],
  ) {}

  /** Whether a package with replicas is being loaded: what it asks for belongs to it. */
  get isOpen(): boolean {
    return this.open !== undefined;
  }

  site(id: number, index: number, record: ModuleRecord): ReplicaSite {
    const site = new ReplicaSite(this.home, id, index, record);
    this.sites.set(record.key, [...(this.sites.get(record.key) ?? []), site]);
    return site;
  }

  /** A module begins. */
  begin(record: ModuleRecord, module: object | undefined): ReplicaHandle | undefined {
    try {
      const part = record.replica();
      const name = packageOf(record.file);
      if (part === undefined || name === undefined) return undefined;
      if (this.open === undefined) {
        if (!this.packages.includes(name)) return undefined;
        this.open = new Replica(this.all.length, name, this.intrinsics, () => void (this.open = undefined));
        this.all.push(this.open);
      }
      const replica = this.open;
      replica.begin({ record, part }, module);
      for (const site of this.sites.get(record.key) ?? []) site.replica = replica;
      return replica.handle;
    } catch (error) {
      complain("cannot watch how a package is loaded", error);
      this.open?.abandon();
      this.open = undefined;
      return undefined;
    }
  }
}
