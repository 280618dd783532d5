// Every page: htmx, and what all forms share.
import "htmx.org";
