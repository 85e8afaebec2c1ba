import { PERMISSION_NAMES } from '../../../../../src/contract/permissions.js';
import type { ResourceField } from '../../../../../src/contract/resources.js';
import {
  ApplicationSelect,
  Checkbox,
  CheckboxGroup,
  Select,
  TextArea,
  TextField,
} from '../../components/fields.js';
import { formatPairs, parsePairs } from '../../components/token-fields.js';
import { type FormField, type Inputs, labelOf, type ResourceForm, type SetInput } from './resource-page.js';

type Fields = Readonly<Record<string, unknown>>;
type Shown = FormField & { label: string };

/** The fields that the form of a resource has, in the order of its row. */
function formFields({ row, form }: ResourceForm): [name: string, field: ResourceField, shown: Shown][] {
  return Object.entries(row.fields).flatMap(([name, field]) => {
    const shown = form ? form[name] : {};
    return shown ? [[name, field, { ...shown, label: labelOf(name, shown) }]] : [];
  });
}

/** The input of a configuration. */
export const CONFIGURATION_FIELD = {
  rows: 3,
  hint: 'One NAME=value per line. Shown here because you edit it.',
} satisfies FormField;

/** Returns what the form begins with: the fields of an object, or those of a new one. */
export function inputsOf(form: ResourceForm, item: Fields | undefined): Inputs {
  const fields: Fields = item ?? form.start ?? {};
  const usual = formFields(form).map(([name, field]) => [
    name,
    toInput(field, fields[name] ?? field.default),
  ]);
  return { ...Object.fromEntries(usual), ...form.special?.inputsOf(fields) };
}

function toInput({ kind }: ResourceField, value: unknown): Inputs[string] {
  switch (kind) {
    case 'boolean':
      return value === true;
    case 'names':
      return (value ?? []) as readonly string[];
    case 'map':
      return formatPairs(value as Record<string, string> | undefined);
    case 'transform':
      return (value as { code: string } | undefined)?.code ?? '';
    case 'application':
      return (value as { id: string } | undefined)?.id ?? '';
    default:
      return String(value ?? '');
  }
}

/** Returns the body of the request that saves what was typed. @throws Error that names the field */
export function bodyOf(form: ResourceForm, inputs: Inputs, isNew: boolean): object {
  const usual = formFields(form)
    .filter(([, { immutable }]) => isNew || !immutable)
    .map(([name, field, { label }]) => [name, toValue(field, label, inputs[name] ?? '')]);
  return { ...Object.fromEntries(usual), ...form.special?.bodyOf(inputs, isNew) };
}

function toValue({ kind }: ResourceField, label: string, input: Inputs[string]): unknown {
  switch (kind) {
    case 'map':
      return parsePairs(label, String(input));
    case 'transform':
      return String(input).trim() === '' ? null : { code: input };
    case 'application':
      return input ? { id: input } : null;
    default:
      return input;
  }
}

interface FormFieldsProps {
  form: ResourceForm;
  inputs: Inputs;
  set: SetInput;
  isNew: boolean;
}

/** The fields of the form that creates or changes an object. */
export function FormFields({ form, inputs, set, isNew }: FormFieldsProps) {
  const { special } = form;
  return (
    <>
      {formFields(form)
        .filter(([, { immutable }]) => isNew || !immutable)
        .map(([name, field, shown]) => (
          <Field
            key={name}
            field={field}
            shown={shown}
            input={inputs[name] ?? ''}
            set={(value) => set(name, value)}
          />
        ))}
      {special && <special.Fields inputs={inputs} set={set} />}
    </>
  );
}

interface FieldProps {
  field: ResourceField;
  shown: Shown;
  input: Inputs[string];
  set: (value: Inputs[string]) => void;
}

function Field({ field, shown, input, set }: FieldProps) {
  const { kind, required = false, suggest = [] } = field;
  const options = suggest === 'permission' ? PERMISSION_NAMES : suggest;
  const text = { ...shown, value: String(input), onChange: set, required };
  switch (kind) {
    case 'text':
      return options.length > 0 ? <Select {...text} options={options} /> : <TextField {...text} />;
    case 'url':
      return <TextField {...text} type="url" />;
    case 'boolean':
      return <Checkbox label={shown.label} checked={input === true} onChange={set} />;
    case 'names':
      return (
        <CheckboxGroup label={shown.label} options={options} chosen={input as string[]} onChange={set} />
      );
    case 'application':
      return <ApplicationSelect value={text.value} onChange={set} hint={shown.hint} />;
    default:
      return <TextArea {...text} required={required && kind !== 'map'} />;
  }
}
