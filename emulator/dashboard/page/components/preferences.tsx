import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { Times } from '../hooks/times.js';
import { Field } from './form.js';

/** What a person chooses about the page, with the choices; the first is the default. */
const CHOICES = { times: ['relative', 'UTC', 'local'], theme: ['system', 'light', 'dark'] } as const;

/** Returns a choice that the browser keeps, and what changes it. */
function usePreference<Name extends keyof typeof CHOICES>(name: Name) {
  type Choice = (typeof CHOICES)[Name][number];
  const choices: readonly Choice[] = CHOICES[name];
  const key = `tokenctl.${name}`;
  const [choice, setChoice] = useState(() => choices.find((one) => one === localStorage.getItem(key)));
  const set = (next: string) => {
    localStorage.setItem(key, next);
    setChoice(next as Choice);
  };
  return [choice ?? (choices[0] as Choice), set] as const;
}

/** Shows its content as a person has chosen, and the choices below it. */
export function Preferences({ children }: { children: ComponentChildren }) {
  const [times, setTimes] = usePreference('times');
  const [theme, setTheme] = usePreference('theme');
  useLayoutEffect(() => {
    document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
  }, [theme]);
  return (
    <>
      <Times style={times}>{children}</Times>
      <footer class="row inline">
        <Field label="Show time as" value={times} options={CHOICES.times} onChange={setTimes} />
        <Field label="Theme" value={theme} options={CHOICES.theme} onChange={setTheme} />
      </footer>
    </>
  );
}
