import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter, type UrlUpdateEvent } from "nuqs/adapters/testing";
import { expect, it, vi } from "vitest";
import { PAGE_SIZE } from "./page-size";
import { Pager } from "./pager";

function show(offset: number, total: number) {
  const onUrlUpdate = vi.fn<(event: UrlUpdateEvent) => void>();
  const shown = Math.max(0, Math.min(PAGE_SIZE, total - offset));
  render(
    <NuqsTestingAdapter searchParams={offset === 0 ? "" : `?offset=${offset}`} onUrlUpdate={onUrlUpdate}>
      <Pager total={total} shown={shown} />
    </NuqsTestingAdapter>,
  );
  const press = async (name: string) => {
    await userEvent.setup().click(screen.getByRole("button", { name }));
    return onUrlUpdate.mock.lastCall?.[0].queryString;
  };
  return { press, isDisabled: (name: string) => screen.getByRole("button", { name }).hasAttribute("disabled") };
}

it("is left out for a single page", () => {
  show(0, PAGE_SIZE);
  expect(screen.queryByRole("navigation")).toBeNull();
});

it("leads from the first page to the next one", async () => {
  const { press, isDisabled } = show(0, PAGE_SIZE + 1);
  expect(screen.getByRole("navigation", { name: "Pages" }).textContent).toContain(`of ${PAGE_SIZE + 1}`);
  expect(isDisabled("Previous")).toBe(true);
  expect(await press("Next")).toBe(`?offset=${PAGE_SIZE}`);
});

it("leads from the last page to the previous one", async () => {
  const { press, isDisabled } = show(PAGE_SIZE, PAGE_SIZE + 1);
  expect(isDisabled("Next")).toBe(true);
  expect(await press("Previous")).toBe("");
});

it("leads from beyond the end to the last page", async () => {
  const { press } = show(PAGE_SIZE * 9, PAGE_SIZE * 2);
  expect(await press("Previous")).toBe(`?offset=${PAGE_SIZE}`);
});
