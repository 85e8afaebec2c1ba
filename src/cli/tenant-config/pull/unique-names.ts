/** Makes names that are valid as file names, or as environment variables, and differ from each other. */
export class UniqueNames {
  readonly #taken = new Set<string>();

  /** @param style `file`: letters, digits, `-`, `_` and inner dots; `variable`: `CHARGE_API_KEY` */
  constructor(private readonly style: 'file' | 'variable') {}

  /** Returns a name like this text that was not returned before, whatever the case of its letters. */
  add(text: string): string {
    const base = this.style === 'file' ? toFileName(text) : toVariableName(text);
    for (let count = 1; ; count++) {
      const name = count === 1 ? base : `${base}${this.style === 'file' ? '-' : '_'}${count}`;
      if (this.#taken.has(name.toLowerCase())) continue;
      this.#taken.add(name.toLowerCase());
      return name;
    }
  }
}

const MAX_CHARACTERS = 80;

function toFileName(text: string): string {
  const name = text
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, MAX_CHARACTERS);
  return name || 'unnamed';
}

function toVariableName(text: string): string {
  const name = text.toUpperCase().replaceAll(/\W+/g, '_').slice(0, MAX_CHARACTERS);
  return /^[A-Z_]/.test(name) ? name : `_${name}`;
}
