import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useState } from 'preact/hooks';
import { isObject } from '../../../../src/contract/json.js';
import { formatJson } from '../format.js';
import { useObjects } from '../hooks/emulator.js';
import { Editor } from './code.js';
import type { EditorOptions } from './editor.js';
import type { FormField, FormFields, FormKind, Inputs, Option } from './field-values.js';
import { bodyOf, inputsOf, labelOf, parseJson } from './field-values.js';
import { ErrorState, Panel } from './page.js';

/** What is more than one line: lines at first, and the language of an editor. */
const TEXTS: { readonly [K in FormKind]?: readonly [rows: number, language?: EditorOptions['language']] } = {
  code: [18, 'javascript'],
  rules: [6, 'json'],
  transform: [6, 'javascript'],
  json: [6, 'json'],
  map: [3],
  lines: [2],
};

const INPUT_TYPES: readonly FormKind[] = ['url', 'password', 'search'];

interface FieldProps extends Partial<Omit<FormField, 'required'>> {
  label: string;
  name?: string;
  value: string;
  onChange: (value: string) => void;
  required?: boolean | undefined;
}

/** A label, and the input, editor or choice that it names, with its hint. */
export function Field({ kind = 'text', label, hint, onChange, ...props }: FieldProps) {
  const [rows, language] = TEXTS[kind] ?? [];
  const { options, mono, name, value, placeholder = '', required = false } = props;
  const id = useId();
  const described = hint ? { 'aria-describedby': `${id}-hint` } : {};
  const shared = {
    ...{ id, name, value, ...described },
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  };
  const typed = { ...shared, placeholder, required: required && kind !== 'map', spellcheck: false };
  const type = (INPUT_TYPES.includes(kind) ? kind : 'text') as 'text';
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {options ? (
        <select {...shared}>
          {options.map((option) => {
            const [key, text] = typeof option === 'string' ? [option, option] : option;
            return (
              <option key={key} value={key} selected={key === value}>
                {text}
              </option>
            );
          })}
        </select>
      ) : rows === undefined ? (
        <input {...typed} type={type} autocomplete="off" class={mono ? 'mono' : undefined} />
      ) : language === undefined ? (
        <textarea {...typed} class="mono" rows={rows} />
      ) : (
        <Editor
          text={value}
          onChange={onChange}
          language={language}
          rows={rows}
          hint={placeholder}
          attributes={{ 'aria-label': label, ...described }}
        />
      )}
      {hint && (
        <small id={`${id}-hint`} class="quiet">
          {hint}
        </small>
      )}
    </div>
  );
}

interface CheckboxProps {
  label: ComponentChildren;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export const Checkbox = ({ label, checked, onChange }: CheckboxProps) => (
  <label class="row check">
    <input
      type="checkbox"
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    {label}
  </label>
);

/**
 * What is typed into a form. It is kept for this tab until it is saved, for a reload of the page, or a restart of the emulator; but
 * not what the schema marks as secret, nor what may be token data: that is never stored in the browser.
 */
function useDraft(label: string, before: Inputs, fieldsFor: (inputs: Inputs) => FormFields) {
  const [key] = useState(`tokenctl.draft ${location.hash} ${label}`);
  const [inputs, setInputs] = useState<Inputs>(() => ({
    ...before,
    ...JSON.parse(sessionStorage.getItem(key) ?? '{}'),
  }));
  const discard = () => sessionStorage.removeItem(key);
  // Before a reload can come.
  useLayoutEffect(() => {
    const typed = Object.entries(fieldsFor(inputs)).flatMap(([name, { secret, kind }]) =>
      secret || kind === 'password' || inputs[name] === before[name] ? [] : [[name, inputs[name]]],
    );
    if (typed.length === 0) discard();
    else sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(typed)));
  }, [inputs]);
  return [inputs, setInputs, discard] as const;
}

type SetInput = (name: string, value: Inputs[string]) => void;

interface FormProps<Body> {
  label: string;
  submit: string;
  /** Its fields, which may depend on what is typed. */
  fields: FormFields | ((inputs: Inputs) => FormFields);
  /** What it begins with: the fields of an object, or those of a new one. */
  values?: Readonly<Record<string, unknown>>;
  /** Sends what was typed. A failure is shown in the form, and what was typed stays. @param before the body at first */
  save(body: Body, before: Record<string, unknown>): Promise<unknown>;
  cancel?: string;
  /** The body can be edited as JSON too. */
  withJson?: boolean;
  class?: string;
}

/** A form that sends its fields by its button, Enter in a field, or Ctrl+Enter in an editor. */
export function Form<Body>(props: FormProps<Body>) {
  const { label, submit, fields, values = {}, save, cancel, withJson } = props;
  const fieldsFor = (inputs: Inputs) => (typeof fields === 'function' ? fields(inputs) : fields);
  const [before] = useState<Inputs>(() => inputsOf(fieldsFor(values as Inputs), values));
  const [inputs, setInputs, discard] = useDraft(label, before, fieldsFor);
  const [json, setJson] = useState<string | undefined>();
  const [error, setError] = useState<Error | undefined>();
  const [isBusy, setBusy] = useState(false);
  const set: SetInput = (name, value) => setInputs((others) => ({ ...others, [name]: value }));
  const shown = fieldsFor(inputs);

  async function attempt(action: () => Promise<unknown>) {
    if (isBusy) return;
    setError(undefined);
    setBusy(true);
    await action().catch(setError);
    setBusy(false);
  }
  const readBody = (text = json): Record<string, unknown> => {
    if (text === undefined) return bodyOf(shown, inputs);
    const body = parseJson('JSON', text);
    if (!isObject(body)) throw new Error('JSON must be an object: { … }.');
    return body;
  };
  /** The fields follow what is typed as JSON, so that their draft is kept. */
  const typeJson = (text: string) => {
    setJson(text);
    try {
      setInputs(inputsOf(shown, readBody(text)));
    } catch {}
  };
  const toggle = async () => {
    const body = readBody();
    setJson(json === undefined ? formatJson(body) : undefined);
  };
  return (
    <form
      class={`form ${props.class ?? ''}`}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        attempt(async () => {
          await save(readBody() as Body, bodyOf(fieldsFor(before), before));
          discard();
        });
      }}
      onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
        if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.requestSubmit();
      }}
    >
      {json !== undefined ? (
        <Field label="JSON" kind="json" value={json} onChange={typeJson} />
      ) : (
        Object.entries(shown).map(([name, field]) => (
          <FormInput key={name} name={name} field={field} input={inputs[name] ?? ''} set={set} />
        ))
      )}
      {error && <ErrorState error={error} />}
      <div class="row">
        <button type="submit" aria-disabled={isBusy}>
          {submit}
        </button>
        {withJson && (
          <button type="button" onClick={() => attempt(toggle)}>
            {json === undefined ? 'As JSON' : 'As a form'}
          </button>
        )}
        {cancel && (
          <a class="button" href={cancel} onClick={discard}>
            Cancel
          </a>
        )}
      </div>
    </form>
  );
}

export const FormPanel = <Body,>(form: FormProps<Body>) => (
  <Panel title={form.label}>
    <Form {...form} />
  </Panel>
);

interface FormInputProps {
  name: string;
  field: FormField;
  input: Inputs[string];
  set: SetInput;
}

function FormInput({ name, field, input, set }: FormInputProps) {
  const { kind, options } = field;
  const label = labelOf(name, field);
  if (kind === 'boolean')
    return <Checkbox label={label} checked={input === true} onChange={(isOn) => set(name, isOn)} />;
  if (kind === 'names') return <Names name={name} label={label} options={options} input={input} set={set} />;
  const Kind = kind === 'application' ? ApplicationField : Field;
  const change = (text: string) => set(name, text);
  return <Kind {...field} name={name} label={label} value={String(input)} onChange={change} />;
}

interface NamesProps extends Omit<FormInputProps, 'field'> {
  label: string;
  options: readonly Option[] | undefined;
}

export function Names({ name, label, options = [], input, set }: NamesProps) {
  const chosen = input as readonly string[];
  return (
    <fieldset>
      <legend>{label}</legend>
      <div class="checks">
        {options.map(String).map((one) => (
          <Checkbox
            key={one}
            label={one}
            checked={chosen.includes(one)}
            onChange={(isOn) => set(name, isOn ? [...chosen, one] : chosen.filter((other) => other !== one))}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Chooses the application that code runs with, or none. */
function ApplicationField(props: FieldProps) {
  const applications = useObjects().filter(({ collection }) => collection === 'applications');
  const options = applications.map(({ id, name }) => [id, name] as const);
  return <Field {...props} options={[['', 'none'], ...options]} />;
}
