/**
 * Whether a name matches a pattern, case-insensitively: `*` matches any characters, `?` one character, and a pattern
 * without either any substring (decisions.md, "Reactors"). The time is at most proportional to name × pattern.
 */
export function matchesName(name: string, pattern: string): boolean {
  const text = [...name.toLowerCase()];
  const lowerPattern = pattern.toLowerCase();
  if (!/[*?]/.test(lowerPattern)) return name.toLowerCase().includes(lowerPattern);
  return matchesGlob(text, [...lowerPattern]);
}

/** Backtracks to the last `*` only; the matches of earlier ones need not change. */
function matchesGlob(text: readonly string[], glob: readonly string[]): boolean {
  let at = 0;
  let globAt = 0;
  let star = -1;
  let resumeAt = 0;
  while (at < text.length) {
    if (glob[globAt] === '*') {
      star = globAt;
      globAt += 1;
      resumeAt = at;
    } else if (glob[globAt] === '?' || glob[globAt] === text[at]) {
      at += 1;
      globAt += 1;
    } else if (star >= 0) {
      globAt = star + 1;
      resumeAt += 1;
      at = resumeAt;
    } else return false;
  }
  return glob.slice(globAt).every((character) => character === '*');
}
