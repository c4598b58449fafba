import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Facts } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/text-link";
import type { ResponseObject } from "@/lib/engine/protocols/contracts/responses-result-contract";

/** The response, with a link to its generation. */
export function PresetAnswer({ answer: { id, model, status, output_text, usage } }: { answer: ResponseObject }) {
  return (
    <Card
      id="answer"
      title="Response"
      action={<TextLink href={`/generations/${id}`}>Open generation</TextLink>}
      className="grid gap-3"
    >
      <CodeBlock label="Response text" text={output_text} wraps />
      <Facts
        facts={[
          { term: "Model", value: model },
          { term: "Status", value: status },
          { term: "Tokens", value: usage && `${usage.input_tokens} in, ${usage.output_tokens} out` },
        ]}
      />
    </Card>
  );
}
