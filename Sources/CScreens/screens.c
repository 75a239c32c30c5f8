#include "CScreens.h"

// Clang takes #embed in every version of C, and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char form_data[] = {
#embed "../Screens/Form/Demo/forms.json"
};

const unsigned char *viewdelta_form_data(size_t *size) {
  *size = sizeof form_data;
  return form_data;
}

static const unsigned char form_openapi[] = {
#embed "../Screens/Form/openapi.json"
};

const unsigned char *viewdelta_form_openapi(size_t *size) {
  *size = sizeof form_openapi;
  return form_openapi;
}
