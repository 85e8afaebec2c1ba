import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import yaml from 'yaml';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { usageError } from '../../lib/errors.js';
import { readTextFile } from '../../lib/text-file.js';
import { rowName } from '../../manifest/row-name.js';

type Path = readonly (string | number)[];

export interface ManifestEdit {
  path: Path;
  /** undefined removes the value. */
  value: unknown;
}

/** Returns where the text of a node ends, without the comments that follow it. */
function endOf(node: unknown): number | undefined {
  if (yaml.isPair(node)) return endOf(node.value) ?? endOf(node.key);
  const isBlock = yaml.isCollection(node) && !node.flow && node.items.length > 0;
  if (isBlock) return endOf(node.items.at(-1));
  return yaml.isNode(node) ? node.range?.[1] : undefined;
}

function withEdit(content: unknown, [key = '', ...rest]: Path, value: unknown): unknown {
  const before = content as Record<string | number, unknown> | undefined;
  const copy: Record<string | number, unknown> = { ...before };
  if (rest.length > 0) copy[key] = withEdit(copy[key], rest, value);
  else if (value === undefined) delete copy[key];
  else copy[key] = JSON.parse(JSON.stringify(value));
  return Array.isArray(before) ? Object.values(copy) : copy;
}

const HEADER = `# yaml-language-server: $schema=./node_modules/tokenctl/docs/manifest.schema.json
# Written by \`tokenctl pull\`. What is not declared here is not managed; see tokenctl docs manifest.
`;

/** A file of a manifest that is edited. What is not changed stays as it is, comments included. */
export class ManifestDocument {
  #text = '';
  #document = new yaml.Document();

  private constructor(
    readonly path: string,
    text: string,
    /** What the file holds; undefined for a new file, which replaces what is in its place. */
    readonly saved: string | undefined,
  ) {
    this.#parse(text);
  }

  static async open(path: string): Promise<ManifestDocument> {
    const text = await readTextFile(path, `The project file ${path}`);
    return new ManifestDocument(path, text, text);
  }

  static create = (path: string): ManifestDocument => new ManifestDocument(path, HEADER, undefined);

  get content(): Record<string, unknown> {
    return (this.#document.toJS() ?? {}) as Record<string, unknown>;
  }

  findRow(list: Path, name: string): Path | undefined {
    const rows = list.reduce<unknown>(
      (value, key) => (value as Record<string, unknown>)?.[key],
      this.content,
    );
    const index = Array.isArray(rows) ? rows.findIndex((row) => rowName(row) === name) : -1;
    return index < 0 ? undefined : [...list, index];
  }

  findValue(path: Path): Path | undefined {
    return this.#document.hasIn(path) ? path : undefined;
  }

  /** Adds rows to a list, which is created if need be. Returns the path of the first. */
  add(list: Path, ...rows: readonly object[]): Path {
    const node = this.#document.getIn(list);
    if (node === undefined || node === null) {
      this.edit({ path: list, value: rows });
      return [...list, 0];
    }
    if (!yaml.isSeq(node))
      throw usageError(
        `${list.join('.')} of ${basename(this.path)} is not a list that a row can be added to.`,
      );
    const index = node.items.length;
    const [last] = node.items.slice(-1);
    const end = endOf(last);
    if (!node.flow && node.range && end !== undefined) this.#insertRows(node.range[0], end, rows);
    else {
      if (!last) node.flow = false;
      for (const row of rows) node.add(this.#document.createNode(row));
      this.#update();
    }
    return [...list, index];
  }

  /** Inserts rows as text: written anew, comments after the last row would become its own. */
  #insertRows(listStart: number, lastEnd: number, rows: readonly object[]): void {
    const indent = listStart - (this.#text.lastIndexOf('\n', listStart) + 1);
    const rest = this.#text.slice(lastEnd);
    // The value of a block ends at the start of the next line.
    const isLineEnd = this.#text[lastEnd - 1] === '\n';
    const belongsToLast = new RegExp(
      `^${isLineEnd ? '' : '[^\\n]*\\n?'}(?:[ ]{${indent + 1},}#[^\\n]*\\n?)*`,
    );
    const end = lastEnd + (belongsToLast.exec(rest)?.[0].length ?? 0);
    const before = this.#text.slice(0, end);
    const inserted = yaml.stringify(rows, { lineWidth: 0 }).replaceAll(/^(?=.)/gm, ' '.repeat(indent));
    this.#parse(`${before}${before.endsWith('\n') ? '' : '\n'}${inserted}${this.#text.slice(end)}`);
  }

  #parse(text: string): void {
    this.#text = text;
    this.#document = yaml.parseDocument(text, { merge: true });
  }

  #update(): void {
    this.#parse(this.#document.toString({ lineWidth: 0, flowCollectionPadding: false }));
  }

  edit({ path, value }: ManifestEdit): void {
    const [name = ''] = path;
    const { contents } = this.#document;
    const isBlock = !contents || (yaml.isMap(contents) && !contents.flow);
    if (path.length === 1 && isBlock && !this.#document.has(name)) {
      const added = yaml.stringify({ [name]: value }, { lineWidth: 0 });
      this.#parse(this.#text.replace(/\n*$/, (end) => `${this.#text ? end || '\n' : ''}${added}`));
      return;
    }
    const wanted = withEdit(this.content, path, value);
    const before = this.#text;
    try {
      if (value === undefined) this.#document.deleteIn(path);
      else this.#document.setIn(path, this.#document.createNode(value));
      this.#update();
      if (isDeepStrictEqual(this.content, wanted)) return;
    } catch {
      // An alias cannot be edited, nor what an alias refers to be replaced.
    }
    // Other values may have changed with it, or a merged one be there still. Later edits begin with what was there.
    this.#parse(before);
    throw usageError(`an alias in ${basename(this.path)} shares ${path.join('.')}; change it by hand`);
  }

  /** Returns a function that undoes all later edits. */
  checkpoint(): () => void {
    const text = this.#text;
    return () => this.#parse(text);
  }

  /** Writes the file if it has changed. Returns whether it has. */
  async save(): Promise<boolean> {
    if (this.#text === this.saved) return false;
    const text = this.path.endsWith('.json') ? `${JSON.stringify(this.content, null, 2)}\n` : this.#text;
    await writeFileAtomically(this.path, text, { mode: 0o666, replaceLink: this.saved === undefined });
    return true;
  }
}
