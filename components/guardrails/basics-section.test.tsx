import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useForm } from "react-hook-form";
import { expect, it } from "vitest";
import { BasicsSection } from "./basics-section";
import { EMPTY_VALUES, type GuardrailValues } from "./guardrail-values";

function Section() {
  const { control } = useForm<GuardrailValues>({ defaultValues: EMPTY_VALUES });
  return <BasicsSection control={control} />;
}

it("a new guardrail enforces; one that observes says what that means", async () => {
  const user = userEvent.setup();
  render(<Section />);
  const mode = screen.getByRole("combobox", { name: "Mode" });
  expect(mode.textContent).toBe("Enforce");
  expect(mode.getAttribute("aria-describedby")).toBeNull();
  await user.click(mode);
  await user.click(screen.getByRole("option", { name: "Observe only" }));
  screen.getByRole("combobox", {
    name: "Mode",
    description: "Requests pass unchanged. The log says what would have happened.",
  });
});
