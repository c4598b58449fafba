import { useState } from "react";
import {
  expansionText,
  useModelListOptions,
  useModelOptions,
  useProviderOptions,
} from "@/components/guardrails/routing-options";
import { SettingsDisclosure } from "@/components/form/settings-disclosure";
import { SettingsCard, SettingsRow } from "@/components/form/settings-row";
import { Select } from "@/components/ui/select";
import { Field } from "@/components/form/field";
import {
  ChoiceControl,
  JsonControl,
  ListControl,
  ModelControl,
  NumberControl,
  OtherFieldsControl,
  PromptControl,
} from "./body-controls";
import {
  BODY_FIELDS,
  canShow,
  fieldsSummary,
  otherFields,
  valueAt,
  withOtherFields,
  withValue,
  type Body,
  type BodyField,
} from "./body-fields";

interface Issue {
  path: readonly PropertyKey[];
  message: string;
}

interface BodyFormProps {
  body: Body;
  /** Validation messages of the server. */
  issues: readonly Issue[];
  onChange: (body: Body) => void;
  /** Called with text that isn't part of the body because it isn't valid JSON. */
  onFault: (isFaulty: boolean) => void;
}

const [MODEL, MODELS] = BODY_FIELDS.model;
const [PROMPT] = BODY_FIELDS.prompt;
const [TOOLS, ...TOOL_FIELDS] = BODY_FIELDS.tools;
const [FORMAT] = BODY_FIELDS.format;
const PAIRS = "grid items-start gap-x-4 gap-y-3 @md:grid-cols-2";

/** Form of a Responses body. Fields without a control are edited as JSON. */
export function BodyForm({ body, issues, onChange, onFault }: BodyFormProps) {
  const models = useModelOptions();
  const { options: fallbacks, expand } = useModelListOptions();
  const providers = useProviderOptions();
  const propsOf = (field: BodyField) => ({
    field,
    value: valueAt(body, field.path),
    errors: issues
      .filter(({ path }) => field.path.every((part, index) => path[index] === part))
      .map(({ path, message }) => [...path.slice(field.path.length), message].join(": ")),
    onChange: (value: unknown) => onChange(withValue(body, field.path, value)),
  });
  const errorsOf = (fields: readonly BodyField[]) => fields.flatMap((field) => propsOf(field).errors).length;
  const control = (field: BodyField) => {
    const props = propsOf(field);
    const key = field.path.join(".");
    if (!canShow(field, body)) return <CustomValue key={key} label={field.label} />;
    if (field.kind === "number") return <NumberControl key={key} {...props} />;
    if (field.kind === "list")
      return field.path[0] === "models" ? (
        <ListControl key={key} {...props} options={fallbacks} hint={(entries) => expansionText(entries, expand)} />
      ) : (
        <ListControl key={key} {...props} options={providers} />
      );
    return <ChoiceControl key={key} {...props} />;
  };
  return (
    <SettingsCard>
      <SettingsRow id="preset-model" title="Model" description="Fallbacks are tried in order.">
        <div className={PAIRS}>
          {canShow(MODEL, body) ? (
            <ModelControl {...propsOf(MODEL)} options={models} />
          ) : (
            <CustomValue label={MODEL.label} />
          )}
          {control(MODELS)}
        </div>
      </SettingsRow>
      <SettingsRow id="preset-prompt" title="System prompt" description="Precedes the messages of each request.">
        {canShow(PROMPT, body) ? <PromptControl {...propsOf(PROMPT)} /> : <CustomValue label={PROMPT.label} />}
      </SettingsRow>
      <SettingsRow id="preset-parameters" title="Parameters" description="Leave blank to use the model’s default.">
        <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3 @xl:grid-cols-3 @4xl:grid-cols-4">
          {BODY_FIELDS.parameters.map(control)}
        </div>
      </SettingsRow>
      <SettingsDisclosure
        id="preset-rare-parameters"
        title="More parameters"
        summary={fieldsSummary(BODY_FIELDS.rareParameters, body)}
        errors={errorsOf(BODY_FIELDS.rareParameters)}
      >
        <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3 @xl:grid-cols-3">
          {BODY_FIELDS.rareParameters.map(control)}
        </div>
      </SettingsDisclosure>
      <SettingsDisclosure
        id="preset-provider"
        title="Provider preferences"
        description="Narrow and order the endpoints."
        summary={fieldsSummary(BODY_FIELDS.provider, body)}
        errors={errorsOf(BODY_FIELDS.provider)}
      >
        <div className={PAIRS}>{BODY_FIELDS.provider.map(control)}</div>
      </SettingsDisclosure>
      <SettingsDisclosure
        id="preset-tools"
        title="Tools"
        description="A JSON array of tools."
        summary={fieldsSummary(BODY_FIELDS.tools, body)}
        errors={errorsOf(BODY_FIELDS.tools)}
      >
        {canShow(TOOLS, body) ? (
          <JsonControl {...propsOf(TOOLS)} label={TOOLS.label} />
        ) : (
          <CustomValue label={TOOLS.label} />
        )}
        <div className={PAIRS}>{TOOL_FIELDS.map(control)}</div>
      </SettingsDisclosure>
      <SettingsRow id="preset-format" title="Response format" description="Text, any JSON object, or a JSON Schema.">
        {canShow(FORMAT, body) ? <FormatControl {...propsOf(FORMAT)} /> : <CustomValue label={FORMAT.label} />}
      </SettingsRow>
      <SettingsDisclosure
        id="preset-other"
        title="Other fields"
        description="Everything else, as a JSON object."
        summary={Object.keys(otherFields(body)).join(", ") || "None"}
      >
        <OtherFieldsControl
          value={otherFields(body)}
          onChange={(other) => onChange(withOtherFields(body, other))}
          onFault={onFault}
        />
      </SettingsDisclosure>
    </SettingsCard>
  );
}

/** Placeholder of a control that can't show its value. */
const CustomValue = ({ label }: { label: string }) => (
  <div className="grid content-start gap-1.5 text-[13px]">
    <span className="font-medium">{label}</span>
    <span className="text-muted">Custom value, under Other fields</span>
  </div>
);

const FORMATS = [
  { value: "default", label: "Default" },
  { value: "text", label: "Text" },
  { value: "json_object", label: "JSON object" },
  { value: "json_schema", label: "JSON Schema" },
] as const;
type Format = (typeof FORMATS)[number]["value"];

const NEW_SCHEMA = {
  type: "json_schema",
  name: "answer",
  strict: true,
  schema: { type: "object", properties: {}, required: [], additionalProperties: false },
};

const typeOf = (value: unknown): Format => {
  if (value === undefined) return "default";
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  return type === "text" || type === "json_object" ? type : "json_schema";
};

interface FormatControlProps {
  value: unknown;
  errors: readonly string[];
  onChange: (value: unknown) => void;
}

function FormatControl({ value, errors, onChange }: FormatControlProps) {
  // Switching to another format and back restores the schema.
  const [schema, setSchema] = useState<unknown>(NEW_SCHEMA);
  const type = typeOf(value);
  const choose = (next: Format) => {
    if (type === "json_schema") setSchema(value);
    onChange(next === "default" ? undefined : next === "json_schema" ? schema : { type: next });
  };
  return (
    <>
      <Field label="Format" isLabelHidden errors={type === "json_schema" ? [] : errors}>
        {(wiring) => <Select {...wiring} className="@md:w-56" value={type} onValueChange={choose} options={FORMATS} />}
      </Field>
      {type === "json_schema" && (
        <JsonControl
          label="JSON Schema of the response"
          value={value}
          errors={errors}
          onChange={onChange}
          minLines={8}
        />
      )}
    </>
  );
}
