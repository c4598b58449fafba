import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { formResolver } from "./form-resolver";
import { MutationForm } from "./mutation-form";
import { TextField } from "./text-field";
import { useEditForm } from "./use-edit-form";

vi.mock("@/components/form/unsaved-guard", () => ({ UnsavedGuard: () => null }));

const Body = z.strictObject({ name: z.string(), note: z.string() }).partial();
type Body = z.infer<typeof Body>;
const checkBody = formResolver(Body);

function Form({ save }: { save: (change: Body) => Promise<{ data: Body }> }) {
  const [stored, setStored] = useState<Body>({ name: "", note: "" });
  const mutation = useApiMutation({ mutationFn: save });
  const edit = useEditForm({ resolver: checkBody, stored, valuesOf: (body: Body) => body, onSaved: setStored });
  return (
    <MutationForm {...edit} mutation={mutation} action="Save changes">
      <TextField control={edit.form.control} name="name" label="Name" />
      <TextField control={edit.form.control} name="note" label="Note" />
    </MutationForm>
  );
}

it("keeps what is typed while a save runs, as an unsaved change", async () => {
  const save = vi.fn<(change: Body) => Promise<{ data: Body }>>();
  let finish: (saved: { data: Body }) => void = () => undefined;
  save.mockImplementation(
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Form save={save} />
    </QueryClientProvider>,
  );
  const box = (label: string) => screen.getByRole<HTMLInputElement>("textbox", { name: label });
  const [name, note] = [box("Name"), box("Note")];
  const button = screen.getByRole("button", { name: "Save changes" });
  const canSave = () => !button.hasAttribute("disabled") && button.getAttribute("aria-disabled") !== "true";
  /** Saves, and types the texts before the save ends. */
  const saveWhile = async (saved: Body, typed: Body) => {
    const saves = save.mock.calls.length;
    await user.click(button);
    await vi.waitFor(() => expect(save).toHaveBeenCalledTimes(saves + 1));
    if (typed.name) await user.type(name, typed.name);
    if (typed.note) await user.type(note, typed.note);
    finish({ data: saved });
    await vi.waitFor(() => expect(canSave()).toBe(Object.keys(typed).length > 0));
  };
  await user.type(name, "Ada");
  await saveWhile({ name: "Ada", note: "" }, { note: "a" });
  await saveWhile({ name: "Ada", note: "a" }, { name: " L", note: "b" });
  expect([name.value, note.value]).toEqual(["Ada L", "ab"]);
  await saveWhile({ name: "Ada L", note: "ab" }, {});
  expect(save.mock.calls.map(([change]) => change)).toEqual([
    { name: "Ada" },
    { note: "a" },
    { name: "Ada L", note: "ab" },
  ]);
});
