import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PERMISSION_NAMES } from "@/lib/platform/permissions";
import { UserContext } from "@/components/session/user-context";
import { CreateKeyForm } from "./create-key-form";

const sent = vi.fn<(url: string, request: RequestInit) => Promise<Response>>();
beforeEach(() => vi.stubGlobal("fetch", sent.mockReset().mockReturnValue(new Promise(() => undefined))));
afterEach(() => vi.unstubAllGlobals());

it("ends an error with the choice that caused it", async () => {
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <UserContext value={{ name: "Ada", permissions: PERMISSION_NAMES }}>
        <CreateKeyForm workspace={null} onCreated={vi.fn()} onCancel={vi.fn()} />
      </UserContext>
    </QueryClientProvider>,
  );
  const limit = screen.getByRole("textbox", { name: "Limit (USD)" });
  await user.type(screen.getByRole("textbox", { name: "Name" }), "Fresh");
  await user.type(limit, "-5");
  await user.click(screen.getByRole("button", { name: "Create key" }));
  await screen.findByText("must be at least 0");
  await user.clear(limit);
  await user.type(limit, "5");
  expect(screen.queryByText("must be at least 0")).toBeNull();
  expect(sent.mock.calls.filter(([, { method }]) => method === "POST")).toEqual([]);
});
