import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { FoldedCard } from "./folded-card";

it("says what it contains, and renders it once it is opened", async () => {
  render(
    <FoldedCard id="json" title="JSON" description="The record as the API returns it">
      {"{}"}
    </FoldedCard>,
  );
  expect(screen.getByRole("region", { name: "JSON" }).textContent).toBe("JSONThe record as the API returns it");
  await userEvent.setup().click(screen.getByText("JSON"));
  expect(screen.getByText("{}")).toBeTruthy();
});
