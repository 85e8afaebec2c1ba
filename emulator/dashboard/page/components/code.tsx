import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatJson } from '../format.js';
import type { EditorOptions } from './editor.js';
import { Action } from './text.js';

interface EditorProps extends Partial<EditorOptions> {
  text: string;
  attributes: Record<string, string>;
}

/** An editor, or code to read if it cannot be changed. Until it is loaded, the text stands in its place. */
export function Editor({ text, onChange, ...options }: EditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const [replaceText, setReplace] = useState<(text: string) => void>();
  const latest = useRef({ text, onChange });
  latest.current = { text, onChange };
  useLayoutEffect(() => {
    let view: { destroy(): void } | undefined;
    let isGone = false;
    import('./editor.js').then(({ createEditor, setText }) => {
      if (isGone || !place.current) return;
      const created = createEditor(place.current, {
        ...{ language: 'json', firstLine: 1, marked: undefined, hint: '', rows: 1, ...options },
        text: latest.current.text,
        onChange: onChange && ((typed) => latest.current.onChange?.(typed)),
      });
      view = created;
      setReplace(() => (next: string) => setText(created, next));
    });
    return () => {
      isGone = true;
      view?.destroy();
    };
  }, [options.marked, options.language, options.hint]);
  useLayoutEffect(() => replaceText?.(text), [replaceText, text]);
  return (
    <div class="code" ref={place}>
      {!replaceText && <pre>{text}</pre>}
    </div>
  );
}

interface CodeProps {
  text: string;
  label: string;
  language?: EditorOptions['language'];
  /** A line that is marked, from 1: it is shown with the lines around it only. */
  around?: number;
}

const CONTEXT_LINES = 3;

export function Code({ text, label, language = 'javascript', around }: CodeProps) {
  const lines = text.trimEnd().split('\n');
  const first = around === undefined ? 0 : Math.max(0, around - 1 - CONTEXT_LINES);
  const last = around === undefined ? lines.length : around + CONTEXT_LINES;
  const shown = lines.slice(first, last).join('\n');
  const attributes = { 'aria-label': label };
  return (
    <Editor text={shown} attributes={attributes} language={language} firstLine={first + 1} marked={around} />
  );
}

export const Json = ({ value, label }: { value: unknown; label: string }) => (
  <Code text={formatJson(value)} label={label} language="json" />
);

interface MaskedJsonProps {
  masked: unknown;
  label: string;
  /** Returns what it masks, if that can be known. */
  reveal?: (() => unknown) | false | undefined;
  note?: string;
}

/** JSON as it is shown, and in its place what it masks once the user asks for it. */
export function MaskedJson({ masked, label, reveal, note }: MaskedJsonProps) {
  const [revealed, setRevealed] = useState<{ value: unknown } | undefined>();
  const value = revealed ? revealed.value : masked;
  return (
    <>
      {value === undefined ? (
        <p class="quiet">No mask: nothing is shown.</p>
      ) : (
        <Json value={value} label={label} />
      )}
      {reveal && (
        <div class="row">
          <Action
            name={revealed ? 'Mask again' : 'Reveal, may show token data'}
            pressed={revealed !== undefined}
            run={async () => setRevealed(revealed ? undefined : { value: await reveal() })}
          />
          <small class="quiet">{note}</small>
        </div>
      )}
    </>
  );
}
