import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useForm } from "react-hook-form";
import { expect, it } from "vitest";
import { OtherFilters, PersonalDataSection } from "./filters-section";
import { EMPTY_VALUES, type GuardrailValues } from "./guardrail-values";

function show() {
  function Section() {
    const form = useForm<GuardrailValues>({ defaultValues: EMPTY_VALUES });
    return (
      <>
        <PersonalDataSection control={form.control} />
        <OtherFilters control={form.control} />
      </>
    );
  }
  render(<Section />);
  const actions = (name: string) => screen.getByRole("radiogroup", { name });
  return {
    actions,
    labelsOf: (name: string) => [...actions(name).querySelectorAll("label")].map(({ textContent }) => textContent),
    rowOf: (name: string) => actions(name).closest("li")?.textContent,
  };
}

it("offers only the actions that a built-in filter allows", () => {
  const { labelsOf } = show();
  expect(labelsOf("Prompt injection")).toEqual(["Off", "Flag", "Redact", "Block"]);
  expect(labelsOf("Email addresses")).toEqual(["Off", "Redact", "Block"]);
});

it("shows an example of a built-in filter, and marks statistical ones", () => {
  const { rowOf } = show();
  expect(rowOf("Payment card numbers")).toContain("4242 4242 4242 4242");
  expect(rowOf("Names of people")).toContain("Statistical");
  expect(rowOf("Email addresses")).not.toContain("Statistical");
});

it("offers the scanned messages while prompt injection is detected", async () => {
  const { actions } = show();
  expect(screen.queryByRole("combobox", { name: "Scanned messages" })).toBeNull();
  await userEvent.setup().click(within(actions("Prompt injection")).getByRole("radio", { name: "Block" }));
  expect(screen.getByRole("combobox", { name: "Scanned messages" }).textContent).toBe("All but instructions");
});
