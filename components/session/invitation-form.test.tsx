import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { InvitationForm } from "./invitation-form";

afterEach(() => vi.unstubAllGlobals());

it("leads to the sign-in page if passwords are off", async () => {
  const error = { code: 403, message: "No", metadata: { reason: "identity_provider_required" } };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ error }, { status: 403 })));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <InvitationForm token={"t".repeat(43)} isReset={false} />
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  await user.type(screen.getByLabelText("Password"), "correct horse battery");
  await user.click(screen.getByRole("button", { name: "Accept and sign in" }));
  const link = await screen.findByRole("link", { name: "Go to sign-in page" });
  expect(link.getAttribute("href")).toBe("/sign-in");
});
