import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, syntaxHighlighting } from '@codemirror/language';
import { EditorState, type Extension } from '@codemirror/state';
import { Decoration, EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';

export interface EditorOptions {
  text: string;
  language: 'json' | 'javascript' | 'text';
  /** Attributes of the text for screen readers. */
  attributes: Record<string, string>;
  firstLine: number;
  /** The number of a line that is marked. */
  marked: number | undefined;
  /** What stands in an empty editor. */
  hint: string;
  /** The least height, in lines. */
  rows: number;
  /** Is told what was typed; without it, the text cannot be changed. */
  onChange: ((text: string) => void) | undefined;
}

const LANGUAGES: Readonly<Record<EditorOptions['language'], () => Extension>> = {
  json,
  javascript,
  text: () => [],
};

/** Ctrl+Enter sends the form. Tab leaves the editor. */
const KEYS = [...defaultKeymap, ...foldKeymap].filter(({ key }) => key !== 'Mod-Enter');

/** Puts an editor, or code to read, into an element. The policy of the page allows its styles by the nonce. */
export function createEditor(parent: HTMLElement, options: EditorOptions): EditorView {
  const { text, language, attributes, firstLine, marked, hint, rows, onChange } = options;
  const isFixed = onChange === undefined;
  const view = new EditorView({
    parent,
    doc: text,
    extensions: [
      EditorView.cspNonce.of(document.querySelector<HTMLElement>('[nonce]')?.nonce ?? ''),
      LANGUAGES[language](),
      syntaxHighlighting(classHighlighter),
      lineNumbers({ formatNumber: (line) => String(line + firstLine - 1) }),
      [foldGutter(), bracketMatching(), EditorView.lineWrapping, placeholder(hint)],
      [history(), keymap.of([...KEYS, ...historyKeymap])],
      [EditorState.readOnly.of(isFixed), EditorView.editable.of(!isFixed)],
      EditorView.contentAttributes.of({ ...attributes, tabindex: '0', 'aria-readonly': String(isFixed) }),
      EditorView.updateListener.of(({ docChanged, state }) => docChanged && onChange?.(state.doc.toString())),
      EditorView.domEventHandlers({ beforeinput: replaceSelected }),
      EditorView.decorations.of((shown) =>
        marked === undefined ? Decoration.none : mark(shown, marked - firstLine + 1),
      ),
    ],
  });
  view.contentDOM.style.minHeight = `${rows * 1.5}em`;
  return view;
}

/** Puts what is typed in place of what is selected: browsers keep its style inline, which the policy of the page forbids. */
function replaceSelected({ inputType, data }: InputEvent, view: EditorView): boolean {
  const range = getSelection()?.getRangeAt(0);
  if (inputType !== 'insertText' || data === null || !range || range.collapsed) return false;
  const from = view.posAtDOM(range.startContainer, range.startOffset);
  const to = view.posAtDOM(range.endContainer, range.endOffset);
  view.dispatch({ changes: { from, to, insert: data }, selection: { anchor: from + data.length } });
  return true;
}

const mark = ({ state }: EditorView, line: number) =>
  Decoration.set(Decoration.line({ class: 'failing' }).range(state.doc.line(line).from));

/** Replaces the text, unless it is what was typed. */
export function setText(view: EditorView, text: string): void {
  const { doc } = view.state;
  if (doc.toString() !== text) view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
}
