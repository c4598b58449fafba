"use client";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { ChipsField } from "./chips-field";

interface TagsFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
}

/** Tags of a record: `name` or `name:value`. */
export const TagsField = <Values extends FieldValues>({ control, name }: TagsFieldProps<Values>) => (
  <ChipsField
    control={control}
    name={name}
    label="Tags"
    hint="Analytics groups usage by tag."
    placeholder="team:search"
  />
);
