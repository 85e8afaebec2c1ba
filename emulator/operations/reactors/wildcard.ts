/**
 * Whether a name matches a pattern without regard to case: `*` is any run of characters, `?` any one; a pattern without
 * either matches anywhere in the name (decisions.md, "Reactors"). Linear in name × pattern, whatever the pattern.
 */
export function matchesName(name: string, pattern: string): boolean {
  const text = [...name.toLowerCase()];
  const wanted = pattern.toLowerCase();
  if (!/[*?]/.test(wanted)) return name.toLowerCase().includes(wanted);
  return matchesGlob(text, [...wanted]);
}

/** Goes back to the last star only: what an earlier star took can stay as it is. */
function matchesGlob(text: readonly string[], glob: readonly string[]): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let resumeAt = 0;
  while (at < text.length) {
    if (glob[place] === '*') {
      star = place;
      place += 1;
      resumeAt = at;
    } else if (glob[place] === '?' || glob[place] === text[at]) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      place = star + 1;
      resumeAt += 1;
      at = resumeAt;
    } else return false;
  }
  return glob.slice(place).every((character) => character === '*');
}
