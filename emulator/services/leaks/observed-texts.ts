export interface ObservedPart {
  place: string;
  /** Begins with the end of the part before it, if it continues that. */
  text: string;
  /** Line feeds before it, if the place is a stream. */
  lines: number | undefined;
}

/** Characters of a part: searching it must not stop the emulator for long. */
const PART_CHARACTERS = 64 * 1024;
/** Characters of a part that the next one repeats, for values that lie on both sides. Longer than any pattern. */
const OVERLAP_CHARACTERS = 8_192;

interface Part {
  place: string;
  isStream: boolean;
  text: string[];
  characters: number;
  /** The part after it continues its text. */
  goesOn: boolean;
}

/** Texts that were observed, in parts of bounded length. The oldest parts are taken first. */
export class ObservedTexts {
  readonly #parts = new Set<Part>();
  /** The part of each place that the next text is added to. */
  readonly #last = new Map<string, Part>();
  /** How the parts that were taken end, of places whose next part continues them. */
  readonly #taken = new Map<string, { end: string; lines: number }>();
  #characters = 0;

  get characters(): number {
    return this.#characters;
  }

  /** @param isStream whether the next text of the place continues this one */
  add(place: string, text: string, isStream: boolean): void {
    for (let start = 0; start < text.length; start += PART_CHARACTERS) {
      const slice = text.slice(start, start + PART_CHARACTERS);
      const part = this.#partFor(place, slice.length, isStream || start > 0);
      part.isStream = isStream;
      part.text.push(slice);
      part.characters += slice.length;
      this.#characters += slice.length;
    }
  }

  #partFor(place: string, characters: number, continues: boolean): Part {
    const last = this.#last.get(place);
    if (last && last.characters + characters <= PART_CHARACTERS) return last;
    if (last) last.goesOn = continues;
    const part = { place, isStream: false, text: [], characters: place.length, goesOn: false };
    this.#characters += place.length;
    this.#parts.add(part);
    this.#last.set(place, part);
    return part;
  }

  take(): ObservedPart | undefined {
    const [part] = this.#parts;
    if (!part) return undefined;
    const { place, isStream, characters } = part;
    this.#parts.delete(part);
    this.#characters -= characters;
    const isLast = this.#last.get(place) === part;
    if (isLast) this.#last.delete(place);
    const { end, lines } = this.#taken.get(place) ?? { end: '', lines: 0 };
    const text = end + part.text.join('');
    const rest = part.goesOn || (isLast && isStream) ? text.slice(-OVERLAP_CHARACTERS) : '';
    if (rest === '') this.#taken.delete(place);
    else
      this.#taken.set(place, {
        end: rest,
        lines: lines + countLines(text.slice(0, text.length - rest.length)),
      });
    return { place, text, lines: isStream ? lines : undefined };
  }
}

export const countLines = (text: string): number => text.split('\n').length - 1;
