-- The API of a generation that records a moderation.
ALTER TYPE "protocol" ADD VALUE 'moderations';
